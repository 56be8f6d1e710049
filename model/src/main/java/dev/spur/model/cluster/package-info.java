/**
 * What hardware there is: accelerator types, pools, nodes with their single devices, and when nodes are kept or worked
 * on. What runs on it is said elsewhere: an allocation belongs to a job and a round.
 */
@NullMarked
package dev.spur.model.cluster;

import org.jspecify.annotations.NullMarked;
