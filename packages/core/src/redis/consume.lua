-- Decides one check by itself, the general way.
local state = {
  policy = {
    algorithm = algorithm,
    capacity = tonumber(ARGV[1]),
    limit = tonumber(ARGV[2]),
    window = tonumber(ARGV[3]),
    span = tonumber(ARGV[4]),
    ttl = ARGV[5],
  },
}

local function consume(key)
  state.key = key
  if ask(state, cost) then
    charge(state, cost)
  elseif not state.failed then
    heal(state)
  end
end
