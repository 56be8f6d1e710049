/** Why a job waits or runs as it does, read off the plan by checking the constraints again for that job. */
@NullMarked
package dev.spur.solver.explain;

import org.jspecify.annotations.NullMarked;
