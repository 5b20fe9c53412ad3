"""Games shown to everybody: on the front page, and on the page of games to watch."""
