-- Twin of algorithms/token-bucket.ts.
local token_bucket = bucket
