/// Other engines, told to make every write durable, for the log's bench to be measured beside.
@NullMarked
package dev.tidemark.bench.peers;

import org.jspecify.annotations.NullMarked;
