-- Decides requests of one check each, all for the same cost of one sliding log.
--
-- KEYS     the keys, in order
-- ARGV     limit window ttl [cost; left out, 1 [now in ms; left out, the server's clock is read]]
-- Reply    now, then for each key what decide.lua reports

local limit, window, ttl, cost_text, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3], ARGV[4] or '1', ARGV[5]
local cost = cost_text + 0
local capacity, span = limit, window
-- @include now.lua
-- @include emit.lua
-- @include state.lua
-- @include log-entries.lua
-- @include sliding-window-log.lua
-- @include decide.lua
local algorithm = sliding_window_log
-- @include consume.lua

for i = 1, #KEYS do consume_one(KEYS[i]) end
-- @include reply.lua
