#!/bin/sh
# An agent that does what it is told: runs each script laid into $HOME/orders/<agent>/, and leaves what it said beside it.
orders="$HOME/orders/$CONSTEL_AGENT"
mkdir -p "$orders"
echo ready
while [ -d "$orders" ]; do
  for order in "$orders"/*.sh; do
    [ -e "$order" ] || continue
    mv "$order" "$order.taken"
    sh "$order.taken" >"$order.said" 2>&1
    mv "$order.said" "$order.done"
  done
  sleep 0.05
done
