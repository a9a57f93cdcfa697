"""What happens without an answer: the stages between two questions. Every rule returns the stage that follows it."""

ASK = 0  # ask a question: see the record
TURN_BEGINS = 1
DRAW_CARD = 2  # turn up the next card
TAX_LOSSES_PAID = 3  # ask those who lost coins, then pay the bonus
CARD_ENTERED = 4  # a person or a ship has entered the harbour
CARD_DONE = 5  # continue phase 1
BUSTED = 6
PART_BEGINS = 7  # of the player to move, in phase 2
PART_ENDS = 8
TURN_ENDS = 9
REVEAL = 10  # the event of the turn
CUBES = 11  # ask who pays for a cube at the end of the month, then go on with the turn
PHASE_1 = 12  # after the event
COMPLETING = 13  # a mission is being paid for
CHOOSE_CHARACTERS = 14  # before the first turn
