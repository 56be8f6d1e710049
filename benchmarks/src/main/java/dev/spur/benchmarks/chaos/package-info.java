/** Random faults against two replicas, three agents and real trainings, and the checks of what must hold afterwards. */
@NullMarked
package dev.spur.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
