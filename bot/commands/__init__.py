"""The commands of `gops`, one module each: NAME, HELP, EXAMPLE, `add_arguments` and `run`."""
