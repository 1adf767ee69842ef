@NullMarked
package dev.tidemark.log;

import org.jspecify.annotations.NullMarked;
