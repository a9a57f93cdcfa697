"""The commands of ``pr-env``, one module each; `pr_env.cli` defines their options and loads them on demand."""
