@NullMarked
package dev.tidemark.log.spi;

import org.jspecify.annotations.NullMarked;
