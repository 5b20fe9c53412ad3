"""The front page, the home of members, and the page of games to watch."""
