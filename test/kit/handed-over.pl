# Hands a connection to another process, as SCM_RIGHTS does: one connects to who.sock and gives its end away, the other asks for a pass with it and tries
# that pass at the daemon while the first one still lives.
#   perl handed-over.pl give <directory of the sockets> <meeting place>
#   perl handed-over.pl take <directory of the sockets> <meeting place> <task>
use strict;
use IO::Socket::UNIX;
my ($side, $state, $place, $task) = @ARGV;
my $isWide = `uname -m` =~ /x86_64/;
# struct msghdr with one byte of data, and room for one descriptor beside it.
my ($byte, $beside) = ("x", pack("Q l l l x4", 20, 1, 1, 0));
my $data = pack("P Q", $byte, 1);
my $head = sub { pack("Q L x4 P Q P Q l x4", 0, 0, $data, 1, $beside, length $beside, 0) };
if ($side eq "give") {
  my $who = IO::Socket::UNIX->new("$state/who.sock") or die "who: $!\n";
  my $taker = IO::Socket::UNIX->new(Local => $place, Listen => 1)->accept;
  $beside = pack("Q l l l x4", 20, 1, 1, fileno $who);
  syscall($isWide ? 46 : 211, fileno $taker, my $message = $head->(), 0) >= 0 or die "give: $!\n";
  <$taker>; # until the other one has gone
  exit;
}
my $giver;
until ($giver = IO::Socket::UNIX->new($place)) { select undef, undef, undef, 0.02 }
syscall($isWide ? 47 : 212, fileno $giver, my $message = $head->(), 0) >= 0 or die "take: $!\n";
open(my $who, "+<&=", (unpack("Q l l l", $beside))[3]) or die "taken: $!\n";
syswrite($who, "?own");
sysread($who, my $answer, 4096);
my ($pass) = split /[ \n]/, $answer;
system("curl", "-s", "--unix-socket", "$state/daemon.sock", "-H", "x-constel-pass: $pass", "-d", "{\"task\":$task}", "http://x/op/task.cancel");
