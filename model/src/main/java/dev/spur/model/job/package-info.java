/**
 * Training jobs: their specification and their progress. Throughput and efficiency are in {@code model.performance}.
 */
@NullMarked
package dev.spur.model.job;

import org.jspecify.annotations.NullMarked;
