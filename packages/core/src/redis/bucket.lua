-- Twin of algorithms/bucket.ts, what token and leaky bucket share: same names, same order.
-- Change both or neither.
--
-- Body: two doubles (time of the last charge, used units of 1/window at that time).
local bucket = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }

function bucket.decode(policy, state, body)
  if body == '' then
    state.cell_time, state.cell_used = 0, 0
    return true
  end
  if #body ~= 16 then return false end
  state.cell_time, state.cell_used = unpack('>dd', body)
  return is_whole(state.cell_time) and is_whole(state.cell_used)
end

function bucket.encode(policy, state)
  return pack('>dd', state.cell_time, state.cell_used)
end

function bucket.read(policy, state, now)
  local time = state.cell_time
  local ahead = time - now
  if ahead > policy.span then
    state.time = now
    state.used = 0
  elseif ahead > 0 then
    state.time = time
    state.used = state.cell_used
  else
    state.time = now
    state.used = max(0, state.cell_used + ahead * policy.limit)
  end
end

function bucket.report(policy, state)
  emit(state.used)
end

function bucket.admits(policy, state, cost)
  return cost <= policy.capacity and state.used + cost * policy.window <= policy.capacity * policy.window
end

function bucket.take(policy, state, cost)
  state.used = state.used + cost * policy.window
end

function bucket.owe(policy, state, cost)
  -- A sum too large to be exact is above the bound, and stays above it when rounded.
  local owed = min(state.used + cost * policy.window, 2 * policy.capacity * policy.window)
  state.used = max(state.used, owed)
end

function bucket.write(policy, state)
  state.cell_time = state.time
  state.cell_used = state.used
end

-- Whether there was anything to change.
function bucket.refund(policy, state, now, receipt, cost)
  local time = state.cell_time
  if time - now > policy.span or max(now, time) - receipt >= policy.span then return false end
  state.cell_used = max(0, state.cell_used - cost * policy.window)
  return true
end

function bucket.inspect(policy, state)
  emit(state.cell_time)
  emit(state.cell_used)
end
