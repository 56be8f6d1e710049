package dev.spur.solver.dual;

/** Second-order terms of the complementarity products, by member, and by row for slack and excess. */
final class SecondOrderTerms {
    final double[] members;
    final double[] slack;
    final double[] excess;

    SecondOrderTerms(GubProgram program) {
        members = new double[program.members()];
        slack = new double[program.rows];
        excess = new double[program.rows];
    }
}
