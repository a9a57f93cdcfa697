"""One game through PettingZoo's turn-based interface, with random legal actions. Requires only pr-env."""

from __future__ import annotations

from pr_env import puerto_rico_v0


def main() -> None:
    """Play one game and print the return of each agent."""
    env = puerto_rico_v0.env(players=3)
    env.reset(seed=0)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        if terminated or truncated:
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))
    for agent, total in returns.items():
        print(f"{agent}: {total:g}")


if __name__ == "__main__":
    main()
