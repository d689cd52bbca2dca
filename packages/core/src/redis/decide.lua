-- One check, decided step by step for every algorithm alike. What is reported are the numbers as they
-- stood before; the caller derives every figure from them by the same pure functions.

local function report_block(state)
  if state.blocked_until <= now then return end
  emit_mark(0x23)
  emit(state.blocked_until - now)
end

local function report(state, cost)
  if state.time > now then
    emit_mark(0x22)
    emit(state.time - now)
  end
  report_block(state)
  state.policy.algorithm.report(state.policy, state, cost)
end

-- Reads and reports one state; answers whether it alone admits.
local function ask(state, cost)
  local policy = state.policy
  local failure = policy.algorithm.load(state)
  state.failed = failure ~= nil
  if failure then
    emit_failure(failure)
    return false
  end
  policy.algorithm.read(policy, state, now)
  report(state, cost)
  if state.blocked_until > now then return false end
  return cost == 0 or policy.algorithm.admits(policy, state, cost)
end

local function charge(state, cost)
  local policy = state.policy
  policy.algorithm.take(policy, state, cost)
  policy.algorithm.write(policy, state)
  policy.algorithm.save(state)
end
