/** Tiresias: jobs of unknown length in queues by attained service (Gu et al., NSDI '19). */
@NullMarked
package dev.spur.policies.tiresias;

import org.jspecify.annotations.NullMarked;
