/** Policies that resize elastic jobs: Hu et al., Saxena et al., Voda, and AFS-L. */
@NullMarked
package dev.spur.policies.elastic;

import org.jspecify.annotations.NullMarked;
