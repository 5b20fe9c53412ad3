"""The JSON API of bot accounts, described in docs/bot_accounts.md."""
