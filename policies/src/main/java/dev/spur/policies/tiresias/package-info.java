/** Tiresias: queues by attained service for jobs of unknown length (Gu et al., NSDI '19). */
@NullMarked
package dev.spur.policies.tiresias;

import org.jspecify.annotations.NullMarked;
