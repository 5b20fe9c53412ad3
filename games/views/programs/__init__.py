"""What members' programs ask and do, in JSON; docs/programs.md describes it."""
