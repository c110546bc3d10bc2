# Sits where a tmux server should be and has every client that comes become a program, as a tmux server may. Ends when a file says so.
#   perl false-tmux.pl <socket> <program> <file>
use strict;
use IO::Select;
use IO::Socket::UNIX;
my ($path, $program, $ends) = @ARGV;
my $server = IO::Socket::UNIX->new(Local => $path, Listen => 16) or die "$path: $!\n";
# OpenBSD's imsg: type, length with this head, flags, version, process. 209 is MSG_SHELL: become this program.
my $become = pack("L S S L L", 209, 16 + length($program) + 1, 0, 8, $$) . "$program\0";
until (-e $ends) {
  next unless IO::Select->new($server)->can_read(0.05);
  my $client = $server->accept or next;
  sysread($client, my $heard, 16384);
  syswrite($client, $become);
}
