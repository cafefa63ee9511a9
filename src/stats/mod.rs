//! Pure mathematics: values in, values out. Each function names the source of its formula and is
//! checked against numbers made with scipy or asv.
