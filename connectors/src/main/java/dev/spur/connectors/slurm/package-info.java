/**
 * Connector to Slurm through slurmrestd, and through scontrol for operations that slurmrestd lacks. The documented
 * behavior of Slurm was observed with version 22.05.8.
 */
@NullMarked
package dev.spur.connectors.slurm;

import org.jspecify.annotations.NullMarked;
