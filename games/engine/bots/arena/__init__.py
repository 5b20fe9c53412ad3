"""Arena: repeatable matches of many games that measure how strong the bots are.

A `Match` defines the players and rules. `play(match, number)` plays one of its games;
`play_missing_games` plays those missing in a `Results` file, in several processes if wanted; `scores`
adds them up. `ladder_plan` lists the matches that measure the levels, and `page` reports them.
"""
