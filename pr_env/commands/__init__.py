"""What the commands of ``pr-env`` do, one module each; `pr_env.cli` has their options and loads them when asked."""
