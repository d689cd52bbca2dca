# In front of the API: varnishd -f default.vcl. Varnish adds the client's address to X-Forwarded-For by itself.
vcl 4.1;

backend api {
  .host = "${API_HOST}";
  .port = "${API_PORT}";
}

sub vcl_deliver {
  set resp.http.X-Cache = "MISS";
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  }
}
