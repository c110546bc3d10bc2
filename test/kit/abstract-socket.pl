# An abstract socket: listens at one until its input ends, tries to reach one, or listens and reaches its own.
#   perl abstract-socket.pl listen|reach|own <name>
use strict;
use Socket;
my ($side, $name) = @ARGV;
my $address = pack("S a*", AF_UNIX, "\0$name");
sub made { socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!\n"; $socket }
my $listener = made;
if ($side ne "reach") { bind($listener, $address) && listen($listener, 8) or die "$name: $!\n" }
if ($side ne "listen") { exit(connect(made, $address) ? 0 : 1) }
$| = 1;
print "listens\n";
<STDIN>;
