/**
 * Slurm, through slurmrestd, and through scontrol for what slurmrestd does not do. What Slurm was seen to do is said
 * where it matters; it was seen on 22.05.8.
 */
@NullMarked
package dev.spur.connectors.slurm;

import org.jspecify.annotations.NullMarked;
