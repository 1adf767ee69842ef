@NullMarked
package dev.tidemark.log.testkit;

import org.jspecify.annotations.NullMarked;
