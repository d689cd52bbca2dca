-- One check, decided step by step for every algorithm alike. What is reported are the numbers as they
-- stood before; the caller derives every figure from them by the same pure functions.

-- What is out of the ordinary is said in a text before the numbers: 'a' how far ahead of now the state's
-- time is, 'b' how long the key is blocked; 'e' stands in the place of all, for a key that cannot be read.
local function report(state, cost)
  if state.time > now then emit(format('a%d', state.time - now)) end
  if state.blocked_until > 0 then emit(format('b%d', state.blocked_until - now)) end
  state.policy.algorithm.report(state.policy, state, cost)
end

-- Reads and reports one state; answers whether it alone admits.
local function ask(state, cost)
  local policy = state.policy
  local failure = policy.algorithm.load(state)
  state.failed = failure ~= nil
  if failure then
    emit('e' .. failure)
    return false
  end
  policy.algorithm.read(policy, state, now)
  report(state, cost)
  if state.blocked_until > 0 then return false end
  return cost == 0 or policy.algorithm.admits(policy, state, cost)
end

local function charge(state, cost)
  local policy = state.policy
  policy.algorithm.take(policy, state, cost)
  policy.algorithm.write(policy, state)
  policy.algorithm.save(state)
end
