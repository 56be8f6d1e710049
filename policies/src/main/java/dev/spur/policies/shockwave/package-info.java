/** Shockwave: rounds planned ahead for Nash social welfare over time (Zheng et al., NSDI '23). */
@NullMarked
package dev.spur.policies.shockwave;

import org.jspecify.annotations.NullMarked;
