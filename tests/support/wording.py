"""Texts of the site that several test modules quote; a placeholder stands in them as in the code.

A change of wording is then a change of one line here. What a refusal says is quoted from `games/refusals.py`.
`tests/test_quoted_texts.py` checks that the site says all of them, so asserting their absence keeps sense.
"""

# -- Around the site ---------------------------------------------------------------------------------------

PLAY_NOW = "Play now"
RULES_AND_COMPUTERS = "Rules and computer players"
SOLVE_PUZZLE = "Solve puzzle"
THERE_WAS_A_BETTER_MOVE = "There was a better move"
CHANGE_UNDONE = "Change undone."
TILE_HAS_A_NEIGHBOUR = "That tile has a neighbour. Look above, below, left and right of its square."
SOMETHING_WENT_WRONG = "Something went wrong"
TOO_MANY_REQUESTS = "Too many requests"
SITE_IS_VERY_BUSY = "The site is very busy, so nothing was saved. Try again in a few seconds."
SITE_IS_READ_ONLY = "The site is read-only right now"
SERVER_OUT_OF_REACH = (
    "We cannot reach the server. Check your connection, then reload the page to see what was saved."
)
TRIED_TOO_OFTEN = "You have tried too often. Try again in an hour."

# -- Accounts ----------------------------------------------------------------------------------------------

LOG_IN = "Log in"
EMAIL_A_LOGIN_CODE = "Email me a login code"
MAIL_IS_DELAYED = (
    "Emails from this site are delayed right now. Your request is still waiting, and we keep trying."
)
TOO_MANY_CODES = "There were too many requests for codes"
TOO_MANY_EMAILS = "There were too many requests for emails. Try again later."
TOO_MANY_WRONG_PASSWORDS = (
    "There were too many wrong passwords. Log in with a code by email, or try again later."
)
NO_CODE_AWAITED = "This browser is not waiting for a code. Request one and enter it here."
LINK_WAS_USED = "This link has expired or was already used."
DEVICE_DID_NOT_ANSWER = (
    "Your device did not answer or the request was cancelled. Nothing has changed. Try again."
)
NO_CONFIRMED_ADDRESS = "This member has no confirmed email address."
CORRECTED_TOO_OFTEN = "You have corrected the address too often. Try again in an hour."
NAME_IS_TAKEN = "This name is taken. Choose another one."
NAME_IS_RESERVED = "This name, or one that looks like it, is reserved for the site. Choose another one."
LOGGED_OUT_NOTHING_SENT = "You are logged out, so nothing was sent. Log in, then send it."
LOGGED_IN_AS = "You are now logged in as %(me)s."
ACCOUNT_IS_DELETED = "Your account is deleted. Goodbye."
NO_ADMINISTRATOR_LEFT = "Without this account the site would have no administrator."
ACCOUNT_STATUS_CHANGED = "Your Acquire account status has changed"
APPEAL_IS_WAITING = "Your appeal is waiting for a reply."
NO_APPEAL_IS_WAITING = "No appeal from this member is waiting for a reply."
READ_THE_WARNING = "Read the warning to continue playing"
YOU_ARE_MUTED = "You are muted"
YOU_ARE_SUSPENDED = "You are suspended"
NO_LONGER_PLAYS_HERE = "You can no longer play here."
BAN_WITHOUT_END = "The ban has no end date."
NO_SANCTION = "This member has no sanction."
NO_SANCTION_OF_THIS_KIND = "This member has no sanction of this kind."

# -- Lobby and waiting room --------------------------------------------------------------------------------

CREATE_GAME = "Create game"
JOIN_GAME = "Join game"
START_GAME = "Start game"
ARE_YOU_READY = "Are you ready?"
I_AM_READY = "I’m ready"
NO_SUCH_MEMBER = "No member is called {who}."
HOST_REMOVED_YOU = "The host removed you"
OPEN_SEATS_GO_TO_COMPUTERS = "Seats still open at the start go to computer players ({level})."

# -- The table ---------------------------------------------------------------------------------------------

YOUR_TURN = "Your turn"
YOUR_TURN_TO_PLACE = "Your turn: place a tile"
PLACE_A_TILE = "place a tile"
BUY_UP_TO_3 = "buy up to 3 shares"
DISPOSE_OF_ONE = "sell, trade or hold {n} {chain} share"
DISPOSE_OF_SOME = "sell, trade or hold {n} {chain} shares"
IS_PLACING_A_TILE = "{who} is placing a tile"
BUY_NOTHING = "Buy nothing"
BUY_NOTHING_AND_END = "Buy nothing and end the game"
CHOOSE_SHARES = "Choose shares to buy"
NO_SHARES_CHOSEN = "You have not chosen any shares. Choose some, or press “Buy nothing”."
NO_DISPOSAL_CHOSEN = "You have not chosen what to do with your shares. Sell, trade or hold them."
NOT_A_VALID_MOVE = "That is not a valid move. Choose another one and send it."
COSTS_MORE_THAN_CASH = "That costs {dollars}, but you have only {cash}. Buy fewer shares."
WAITS_FOR_ANOTHER_MOVE = (
    "The game is now waiting for a different move. Check the bar at the bottom of the page."
)
LAST_TILE_PLACED = "{square}, last tile placed"
PLACED_SINCE_LAST_VISIT = "{square}, placed since your last visit"
GOT_IT = "Got it"
GAME_HAS_MOVED_ON = "The game has moved on"
MOVE_BY = "Move by"
TAKE_SEAT_BACK = "Take your seat back"
COMPUTER_PLAYS_FOR_YOU = "A computer player is playing for you."
COMPUTER_PLAYS_FOR_OTHER = "A computer player is playing for %(name)s until %(name)s comes back."
CAME_BACK = "You came back and took over your seat again."
TAKE_OVER_FROM = "Take over from %(name)s"
SEAT_MAY_BE_TAKEN_FOR_GOOD = "After that another member can take it over for good."
SEAT_MAY_BE_TAKEN_BY_INVITED = "After that another invited member can take it over for good."
SEAT_MAY_BE_TAKEN_NOW = "Until you come back, another member can take over your seat for good."
SEAT_IS_LOST = "You have lost your seat for good. %(name)s has taken it over."
TAKING_OVER_IS_FINAL = "This is final. The seat is yours until the game ends, and you cannot give it back."
COMPUTER_TAKES_THE_SEAT = "a computer player takes over the seat"
PASS_THE_DEVICE_TO = "Pass the device to {name}"
SHOW_MY_TILES = "I am %(name)s: show my tiles"
CONCEDE_GAME = "Concede game"
AGREE_TO_END = "Agree to end"
RESPOND_TO_PROPOSAL = "Respond to proposal"
PROPOSE_NO_RESULT = "Propose ending without a result"
END_UNRATED = "End the game unrated"
YOU_ARE_THE_LAST_PERSON = (
    "You are the only person left in this game. Computer players have replaced the others."
)
GAME_ENDS_RIGHT_AWAY = "The game ends right away."
GAME_STARTS_RIGHT_AWAY = "Play again with the same rules and players. The game starts right away."
FINAL_STANDINGS = "Final standings"
SHARED_THE_WIN = "{who} shared the win with {dollars} each"
ENDED_WITHOUT_RESULT = "The game ended without a result"
NO_RATING_AT_STAKE = "The game does not count for your rating."

# -- Standing orders and plans -----------------------------------------------------------------------------

STANDING_ORDERS = "Decide in advance what to do with your shares in mergers"
SAVE_STANDING_ORDER = "Save standing order"
ORDER_WOULD_TRADE = (
    "If {survivor} acquired {chain} now, your order would trade {traded} for {got} {survivor}."
)
ORDER_WOULD_SELL = "If {survivor} acquired {chain} now, your order would sell {sold} for {dollars}."
YOUR_ORDER_MADE_THIS_MOVE = "Your standing order made this move."
AN_ORDER_MADE_THIS_MOVE = "standing order made this move"
ORDER_NEEDS_MORE = "You have only {held} {chain}, but the order needs {wanted}."
OTHERWISE_YOU_DECIDE = "Otherwise you decide."
YOU_HAD_PLANNED_THIS = "You had planned this move."
PLACE_IF_NOTHING_CHANGES = "Place {tile} if nothing changes next to it."
YOUR_PLAN_STOPPED = "Your plan stopped."
BOARD_CHANGED_NEXT_TO = "The board changed next to {tile}: {square}."

# -- The log -----------------------------------------------------------------------------------------------

PLACED_A_LONE_TILE = "{who} placed {tile}, a lone tile."
FOUNDED = "{who} founded {chain} with {n} tiles and took a free share."
BOUGHT_NOTHING = "{who} bought no shares."
COULD_NOT_BUY = "{who} could not buy any shares, so this move was automatic."
TURNED_UP_ONE = "{tile} was turned up for the bank, which counted as holding {n} {chain} share."
TURNED_UP_SOME = "{tile} was turned up for the bank, which counted as holding {n} {chain} shares."
TOOK_BACK = "{who} took back the moves that are struck through."
GOT_AN_EXTENSION = "{who} ran out of time and got an extension (one per game)."
LATE_SO_COMPUTER_MOVED = "{who} ran out of time, so a computer player made this move."
LATE_SO_COMPUTER_TOOK_OVER = "{who} ran out of time. A computer player took over the seat."
TOOK_OVER_FROM = "{who} took over from {before}."
VOTED_FOR_A_COMPUTER = "{who} voted for a computer player to take over from {late}."
EVERYONE_AGREED_TO_END = "Everyone agreed to end the game"
ALL_AGREED_ON_NO_RESULT = "Everyone agreed to end the game without a result."
ENDED_UNRATED_BY = "{who} ended the game early, with the current standings. No ratings changed."
MODERATOR_ENDED_WITHOUT_RESULT = "A moderator ended the game without a result."

# -- Review, advice and exploration ------------------------------------------------------------------------

GAME_REVIEW = "Game review"
LUCK_AND_SKILL = "Luck and skill"
HIDDEN_INFORMATION = "Hidden information at this point"
CURRENT_POSITION = "Back to the current position"
CHECK_THIS_DEAL = "Check this deal"
EXPLORING_A_COPY = "You are exploring a copy of this game."
MOVED_ON_WHILE_EXPLORING = "The game has moved on since you started exploring."
USE_THIS_MOVE = "Use this move"
YOUR_WINNING_CHANCE = "your winning chance at"

# -- Mails and notifications -------------------------------------------------------------------------------

MAKE_YOUR_MOVE = "Make your move"
GAME_HAS_STARTED = "The game has started"
TOOK_OVER_YOUR_SEAT = "{about} took over your seat"
STOP_THESE_NOTIFICATIONS = "Stop these notifications"
TEST_EMAIL = "Test email from Acquire"
EMAIL_IS_SENT = "We have sent the email. Check your inbox and your spam folder."

# -- Reports and moderation --------------------------------------------------------------------------------

MODERATORS_WILL_LOOK = "The moderators will look at your report"
ALREADY_REPORTED = "You have already reported this. Open “Your reports” to see the outcome."
REPORT_WAS_ACTED_ON = "Thank you for your report. We reviewed it and took action."
MESSAGE_FROM = "a message from {name}"
INSULTS_OR_THREATS = "insults or threats"
ADVERTISING_OR_SPAM = "advertising or spam"
NO_OPEN_REPORTS = "No open reports."
HANDLE_THIS_REPORT = "Handle this report"
HANDLE_REPORT_FIRST = "“Handle this report” first"
REMOVE_MESSAGE = "Remove message"
NO_SUCH_MESSAGE = "There is no such message in this chat."
REPLACE_WITH_A_COMPUTER = "Replace with a computer player"
WHAT_WILL_HAPPEN = "What will happen"
NOTHING_DONE_YET = "Nothing has been done yet."
MOVED_ON_NOTHING_DONE = "The game has moved on. Nothing has been done yet. This is what would happen now."
ENTER_A_REASON = "Enter a reason. It is recorded in the audit log."
RECORDED_FOR_STAFF = "Recorded in the audit log, which all staff can read."
WHOLE_NUMBER_EXPECTED = "“{field}” must be a whole number from {least} to {most}."
NO_PERMISSION = "You do not have permission to do this. Ask another member of staff."
MODERATOR_IS_INVOLVED = (
    "You are involved in this game as a player, host or guest. Leave it to another moderator."
)
NO_PAUSE_TO_END = "No moderator has paused this game."
NO_TIME_LIMIT = "This game has no time limit."
TAKES_BACK_MOVES = "This takes back {n} moves, which stay in the log."
NOTHING_NEEDS_ATTENTION = "Nothing needs attention right now."
SIMILAR_NEW_NAMES = "{n} new accounts have similar names: {names}."
NO_PROBLEMS = "No problems found."
NOBODYS_TURN = "It is in progress, but it is nobody’s turn."
NOBODY_SITS_THERE = "is to move, but nobody sits there"
LOG_DOES_NOT_LEAD_TO_POSITION = "The log does not lead to the stored position."
SHOULD_HAVE_MOVED = "should have moved"
POSITION_UNREADABLE = "Its position cannot be read"
