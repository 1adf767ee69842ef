@NullMarked
package dev.tidemark.server;

import org.jspecify.annotations.NullMarked;
