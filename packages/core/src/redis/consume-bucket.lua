-- Decides requests of one check each, all for the same cost of one token or leaky bucket.
--
-- KEYS     the keys, in order
-- ARGV     capacity limit window span ttl cost [now in ms; left out, the server's clock is read]
-- Reply    now, then for each key what decide.lua reports
--
-- @include clock.lua

local now = read_clock(ARGV[7])
local cost = tonumber(ARGV[6])
-- @include reply.lua
emit(now)

-- @include state.lua
-- @include bucket.lua
-- @include decide.lua
local algorithm = bucket
-- @include consume.lua

for i = 1, #KEYS do consume(KEYS[i]) end
return reply()
