/** Sia: goodput on mixed accelerator types by one integer program (Jayaram Subramanya et al., SOSP '23). */
@NullMarked
package dev.spur.policies.sia;

import org.jspecify.annotations.NullMarked;
