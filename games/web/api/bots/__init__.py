"""What members' programs ask and do, in JSON; docs/bot_accounts.md describes it."""
