# A client of somebody's own: asks the daemon for a pass, as `constel` does, and then for what is not theirs, in the name that is given.
#   perl own-client.pl <state directory> <name> <task> [file]   with a file, the pass is left there and nothing is asked for
use strict;
use IO::Socket::UNIX;
my ($state, $name, $task, $file) = @ARGV;
my $who = IO::Socket::UNIX->new(Peer => "$state/who.sock") or die "who.sock: $!\n";
print $who "?own";
$who->flush;
my ($pass) = split / /, scalar <$who>;
if (defined $file) { open(my $out, ">", $file); print $out $pass; exit 0 }
system("curl", "-s", "--unix-socket", "$state/daemon.sock", "-H", "x-constel-pass: $pass", "-H", "x-constel-actor: $name",
  "-d", "{\"task\":$task}", "http://x/op/task.cancel");
