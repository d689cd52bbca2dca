-- Twin of algorithms/gcra.ts: same names, same order. Change both or neither.
--
-- Body: the theoretical arrival time in 1/limit ms, a decimal number that INCRBY moves. Limit and
-- window are the reduced ones.
local gcra = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }

-- What stands between now and the arrival time; none when only a broken clock explains it.
local function used_at(policy, arrival, now)
  local used = arrival - now * policy.limit
  return used > 0 and used <= 3 * policy.capacity * policy.window and used or 0
end

function gcra.decode(policy, state, body)
  state.arrival = body == '' and 0 or tonumber(body)
  return state.arrival ~= nil and is_whole(state.arrival)
end

function gcra.encode(policy, state)
  return format('%d', state.arrival)
end

function gcra.read(policy, state, now)
  state.time = now
  state.used = used_at(policy, state.arrival, now)
end

function gcra.report(policy, state)
  emit(state.used)
end

function gcra.admits(policy, state, cost)
  return cost <= policy.capacity and state.used + cost * policy.window <= policy.capacity * policy.window
end

function gcra.take(policy, state, cost)
  state.used = state.used + cost * policy.window
end

function gcra.owe(policy, state, cost)
  -- A sum too large to be exact is above the bound, and stays above it when rounded.
  local owed = min(state.used + cost * policy.window, 2 * policy.capacity * policy.window)
  state.used = max(state.used, owed)
end

function gcra.write(policy, state)
  state.arrival = state.time * policy.limit + state.used
end

-- Whether there was anything to change.
function gcra.refund(policy, state, now, receipt, cost)
  if now - receipt >= policy.span then return false end
  state.arrival = state.arrival - min(used_at(policy, state.arrival, now), cost * policy.window)
  return true
end

function gcra.inspect(policy, state)
  emit(state.arrival)
end
