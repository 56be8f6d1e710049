package dev.spur.benchmarks.profit;

/**
 * Money of one replay with the revenues of one seed.
 *
 * @param trace name of the trace
 * @param nodes number of nodes
 * @param load slot-hours of the requests relative to those of the nodes until the last arrival
 * @param policy name of the policy
 * @param seed seed of the markups
 * @param jobs number of jobs of the trace
 * @param balance money
 */
record MoneyRow(String trace, int nodes, double load, String policy, long seed, int jobs, Balance balance) {}
