pub mod branch;
