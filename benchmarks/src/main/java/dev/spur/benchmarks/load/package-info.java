/** Load test of a service under a site workload: polling executors, submitters and dashboard clients. */
@NullMarked
package dev.spur.benchmarks.load;

import org.jspecify.annotations.NullMarked;
