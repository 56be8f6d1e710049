/** POP: a policy on random equal parts of the cluster (Narayanan et al., SOSP '21). */
@NullMarked
package dev.spur.policies.pop;

import org.jspecify.annotations.NullMarked;
