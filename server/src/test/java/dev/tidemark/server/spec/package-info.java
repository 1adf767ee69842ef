/// Runs OpenSearch's own REST test suites, as their Maven artifact holds them, against Tidemark.
@NullMarked
package dev.tidemark.server.spec;

import org.jspecify.annotations.NullMarked;
