@NullMarked
package dev.tidemark.store;

import org.jspecify.annotations.NullMarked;
