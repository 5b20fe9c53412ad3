"""The engine: rules and bots of all games, without Django, clock or randomness of its own."""

from games.engine.compiled_modules import refuse_old_compilation

refuse_old_compilation()
