-- Decides one check by itself, the general way.
local state = {
  policy = { algorithm = algorithm, capacity = capacity, limit = limit, window = window, span = span, ttl = ttl },
}

local function consume_one(key)
  state.key = key
  if ask(state, cost) then
    charge(state, cost)
  elseif not state.failed then
    heal(state)
  end
end
