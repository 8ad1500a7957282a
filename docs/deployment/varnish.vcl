vcl 4.1;
import xkey;

backend default { .host = "127.0.0.1"; .port = "1337"; }
acl purgers { "127.0.0.1"; }

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) { return (synth(403)); }
    set req.http.purged = xkey.purge(req.http.xkey-purge);
    return (synth(200, "Purged " + req.http.purged));
  }
}

sub vcl_backend_response {
  // The purge of a write follows at least 0.2 s after it: a response that began earlier must not arrive after that.
  if (beresp.http.Cache-Control ~ "no-store" || beresp.time > bereq.time + 150ms) {
    set beresp.ttl = 1s;
    set beresp.uncacheable = true;
    return (deliver);
  }
}

sub vcl_deliver {
  unset resp.http.xkey;
}
