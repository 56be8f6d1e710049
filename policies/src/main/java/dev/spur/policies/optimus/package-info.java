/** Optimus: workers and parameter servers by marginal gain (Peng et al., EuroSys '18). */
@NullMarked
package dev.spur.policies.optimus;

import org.jspecify.annotations.NullMarked;
