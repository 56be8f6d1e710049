/** A service under the load of a whole site: executors that poll, people that submit, dashboards that look. */
@NullMarked
package dev.spur.benchmarks.load;

import org.jspecify.annotations.NullMarked;
