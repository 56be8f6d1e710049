/** What a user asked for and how far it has got. Throughput and efficiency are in {@code model.performance}. */
@NullMarked
package dev.spur.model.job;

import org.jspecify.annotations.NullMarked;
