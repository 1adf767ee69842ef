@NullMarked
package dev.tidemark.bench;

import org.jspecify.annotations.NullMarked;
