package dev.spur.solver.program;

import dev.spur.model.job.HostDemand;

/**
 * What matters of a piece to the node that it is cut from.
 *
 * @param size slots
 * @param demand what each slot needs of the host; nothing where hosts do not bind
 */
public record PieceKind(int size, HostDemand demand) {}
